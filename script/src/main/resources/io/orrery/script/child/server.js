// The server-side API of stored procedures and triggers. It shares its context with the user's code, so nothing in
// here protects the server: what crosses `host` are texts that Java checks. Intrinsics are taken before user code
// can change them, so that a script which pollutes prototypes breaks itself in ways that can be understood.
(function (host, setup) {
  'use strict';
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { apply, ownKeys } = Reflect;
  const PlainError = Error;
  const PlainString = String;
  const { create, freeze } = Object;

  const PRE_TRIGGER = 'pre';
  const POST_TRIGGER = 'post';

  // Operations that were accepted and have not run; a linked list, because user code can change arrays.
  let first = null;
  let last = null;
  let aborted = null;

  function fail(number, message) {
    const error = new PlainError(message);
    error.number = number;
    error.body = message;
    return error;
  }

  function text(value, what) {
    const written = stringify(value);
    if (written === undefined) {
      throw fail(400, what + ' cannot be written as JSON');
    }
    return written;
  }

  // options may be left out before the callback
  function shift(options, callback) {
    if (typeof options === 'function' && callback === undefined) {
      return [{}, options];
    }
    if (callback !== undefined && callback !== null && typeof callback !== 'function') {
      throw fail(400, 'The callback is not a function');
    }
    return [options === undefined || options === null ? {} : options, callback ?? null];
  }

  function option(options, name, type) {
    const value = options[name];
    if (value === undefined || value === null) {
      return null;
    }
    if (typeof value !== type) {
      throw fail(400, "The option '" + name + "' is not a " + type);
    }
    return value;
  }

  function link(value, what) {
    if (typeof value !== 'string') {
      throw fail(400, 'The link of the ' + what + ' is not a string');
    }
    return value;
  }

  // What runs later, when the function that asked for it has returned.
  function later(step, callback) {
    if (!host('accepts')) {
      return false;
    }
    const entry = { step, callback, next: null };
    if (last === null) {
      first = entry;
    } else {
      last.next = entry;
    }
    last = entry;
    return true;
  }

  function perform(step) {
    const reply = host('perform', step.kind, step.link, step.body, step.condition, step.pageSize, step.continuation);
    const number = reply[0];
    const body = reply[1];
    const continuation = reply[2];
    if (number !== 0) {
      return { error: { number, body }, value: undefined, options: {} };
    }
    const options = {};
    if (continuation !== null) {
      options.continuation = continuation;
    }
    if (body === null) {
      if (step.kind === 'read') {
        options.notModified = true;
        return { error: undefined, value: undefined, options };
      }
      return { error: undefined, value: options, options };
    }
    const value = parse(body);
    if (value !== null && typeof value === 'object' && typeof value._etag === 'string') {
      options.etag = value._etag;
    }
    return { error: undefined, value, options };
  }

  function settle(callback, { error, value, options }) {
    if (callback !== null) {
      callback(error, value, options);
    } else if (error !== undefined) {
      throw fail(error.number, error.body);
    }
  }

  function step(kind, link, body, condition, pageSize, continuation) {
    return { kind, link, body, condition, pageSize, continuation };
  }

  function newDocument(kind, collectionLink, body, options, callback) {
    [options, callback] = shift(options, callback);
    link(collectionLink, 'collection');
    if (body === null || typeof body !== 'object' || isArray(body)) {
      throw fail(400, 'A document is an object');
    }
    option(options, 'indexAction', 'string');
    const generates = option(options, 'disableAutomaticIdGeneration', 'boolean') !== true;
    let written = text(body, 'The document');
    if (generates && body.id === undefined) {
      written = '{"id":"' + host('newId') + '"' + (written === '{}' ? '' : ',') + written.slice(1);
    }
    const etag = kind === 'upsert' ? option(options, 'etag', 'string') : null;
    return later(step(kind, collectionLink, written, etag, -1, null), callback);
  }

  function pageSize(options) {
    const size = option(options, 'pageSize', 'number');
    return size === null || size !== size || size < -1 ? -1 : size > 2147483647 ? -1 : size | 0;
  }

  const collection = {
    getSelfLink() {
      return setup.selfLink;
    },
    getAltLink() {
      return setup.altLink;
    },
    createDocument(collectionLink, body, options, callback) {
      return newDocument('create', collectionLink, body, options, callback);
    },
    upsertDocument(collectionLink, body, options, callback) {
      return newDocument('upsert', collectionLink, body, options, callback);
    },
    readDocument(documentLink, options, callback) {
      [options, callback] = shift(options, callback);
      const known = option(options, 'ifNoneMatch', 'string');
      return later(step('read', link(documentLink, 'document'), null, known, -1, null), callback);
    },
    replaceDocument(documentLink, document, options, callback) {
      [options, callback] = shift(options, callback);
      if (document === null || typeof document !== 'object' || isArray(document)) {
        throw fail(400, 'A document is an object');
      }
      option(options, 'indexAction', 'string');
      const etag = option(options, 'etag', 'string');
      const written = text(document, 'The document');
      return later(step('replace', link(documentLink, 'document'), written, etag, -1, null), callback);
    },
    deleteDocument(documentLink, options, callback) {
      [options, callback] = shift(options, callback);
      const etag = option(options, 'etag', 'string');
      return later(step('delete', link(documentLink, 'document'), null, etag, -1, null), callback);
    },
    readDocuments(collectionLink, options, callback) {
      [options, callback] = shift(options, callback);
      link(collectionLink, 'collection');
      const continuation = option(options, 'continuation', 'string');
      return later(step('query', collectionLink, '"SELECT * FROM c"', null, pageSize(options), continuation), callback);
    },
    queryDocuments(collectionLink, filterQuery, options, callback) {
      [options, callback] = shift(options, callback);
      link(collectionLink, 'collection');
      if (typeof filterQuery !== 'string' && (filterQuery === null || typeof filterQuery !== 'object')) {
        throw fail(400, 'A query is a text, or an object with query and parameters');
      }
      const continuation = option(options, 'continuation', 'string');
      const query = text(filterQuery, 'The query');
      return later(step('query', collectionLink, query, null, pageSize(options), continuation), callback);
    },
  };
  for (const name of ['createAttachment', 'readAttachment', 'readAttachments', 'queryAttachments', 'replaceAttachment',
    'upsertAttachment', 'deleteAttachment']) {
    collection[name] = () => {
      throw fail(400, 'Attachments are not supported: ' + name);
    };
  }

  // ---- The query language of functions: stages over the documents of a page, or over all of them to sort.

  function selector(value, what) {
    if (typeof value === 'function') {
      return value;
    }
    throw fail(400, what + ' needs a function');
  }

  function ordered(values, key, direction) {
    const keyed = [];
    for (let i = 0; i < values.length; i++) {
      keyed[i] = { key: key(values[i]), value: values[i], place: i };
    }
    keyed.sort((a, b) => (a.key < b.key ? -direction : a.key > b.key ? direction : a.place - b.place));
    return keyed.map((entry) => entry.value);
  }

  function flat(values, shallow, into) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (isArray(value)) {
        if (shallow) {
          for (let j = 0; j < value.length; j++) {
            into[into.length] = value[j];
          }
        } else {
          flat(value, false, into);
        }
      } else {
        into[into.length] = value;
      }
    }
    return into;
  }

  function unwound(values, inner, result) {
    const rows = [];
    for (let i = 0; i < values.length; i++) {
      const children = inner(values[i]);
      if (isArray(children)) {
        for (let j = 0; j < children.length; j++) {
          rows[rows.length] = result === undefined ? [values[i], children[j]] : result(values[i], children[j]);
        }
      }
    }
    return rows;
  }

  const stages = {
    filter(predicate) {
      selector(predicate, 'filter');
      return (values) => values.filter((value) => predicate(value));
    },
    map(transformation) {
      selector(transformation, 'map');
      return (values) => values.map((value) => transformation(value));
    },
    pluck(propertyName) {
      return (values) => values.map((value) => value[propertyName]);
    },
    flatten(isShallow) {
      return (values) => flat(values, isShallow === true, []);
    },
    sortBy(key) {
      selector(key, 'sortBy');
      return (values) => ordered(values, key, 1);
    },
    sortByDescending(key) {
      selector(key, 'sortByDescending');
      return (values) => ordered(values, key, -1);
    },
    unwind(inner, result) {
      const children = typeof inner === 'string' ? (value) => value[inner] : selector(inner, 'unwind');
      return (values) => unwound(values, children, typeof result === 'function' ? result : undefined);
    },
  };

  function runStages(chosen, sorts, options, callback) {
    [options, callback] = shift(options, callback);
    const size = pageSize(options);
    const gathered = [];
    function ask(continuation) {
      return collection.readDocuments(setup.selfLink, { pageSize: size, continuation }, (error, documents, feed) => {
        if (error !== undefined) {
          return settle(callback, { error, value: undefined, options: {} });
        }
        for (let i = 0; i < documents.length; i++) {
          gathered[gathered.length] = documents[i];
        }
        if (sorts && feed.continuation !== undefined) {
          if (!ask(feed.continuation)) {
            throw fail(408, 'There is no time left to sort all documents');
          }
          return;
        }
        let values = gathered;
        for (let i = 0; i < chosen.length; i++) {
          values = chosen[i](values);
        }
        if (callback === null) {
          response.setBody(values);
        } else {
          callback(undefined, values, feed);
        }
      });
    }
    return { isAccepted: ask(option(options, 'continuation', 'string') ?? undefined) };
  }

  function chain(chosen, sorts) {
    const link = {
      value(options, callback) {
        return runStages(chosen, sorts, options, callback);
      },
    };
    for (const name of ['filter', 'map', 'pluck', 'flatten', 'sortBy', 'sortByDescending', 'unwind']) {
      link[name] = (one, two) => chain([...chosen, stages[name](one, two)], sorts || name === 'sortBy' || name === 'sortByDescending');
    }
    return freeze(link);
  }

  collection.chain = () => chain([], false);
  for (const name of ['filter', 'map', 'pluck', 'sortBy', 'sortByDescending']) {
    collection[name] = (argument, options, callback) =>
      runStages([stages[name](argument)], name === 'sortBy' || name === 'sortByDescending', options, callback);
  }
  collection.flatten = (isShallow, options, callback) =>
    typeof isShallow === 'boolean'
      ? runStages([stages.flatten(isShallow)], false, options, callback)
      : runStages([stages.flatten(false)], false, isShallow, options);
  collection.unwind = (inner, result, options, callback) =>
    typeof result === 'function'
      ? runStages([stages.unwind(inner, result)], false, options, callback)
      : runStages([stages.unwind(inner)], false, result ?? options, result === undefined ? callback : options);
  collection.value = (options, callback) => runStages([], false, options, callback);

  // ---- Request and response

  function values(initial) {
    const held = create(null);
    for (const name of ownKeys(initial)) {
      held[name] = initial[name];
    }
    return {
      getValue(name) {
        return held[PlainString(name)];
      },
      setValue(name, value) {
        held[PlainString(name)] = value;
      },
      appendValue(name, value) {
        const known = held[PlainString(name)];
        held[PlainString(name)] = known === undefined ? value : PlainString(known) + PlainString(value);
      },
      getOperationType() {
        return setup.operationType;
      },
    };
  }

  let requestBody = setup.requestBody === null ? undefined : parse(setup.requestBody);
  let responseSet = setup.kind !== POST_TRIGGER;
  let responseBody = setup.responseBody === null ? undefined : parse(setup.responseBody);

  const request = values({});
  request.getBody = () => requestBody;
  request.setBody = (value) => {
    if (setup.kind !== PRE_TRIGGER) {
      throw fail(400, 'Only a pre-trigger can set the body of the request');
    }
    requestBody = value;
  };

  const response = values({});
  response.getBody = () => responseBody;
  response.setBody = (value) => {
    responseSet = true;
    responseBody = value;
  };
  response.appendBody = (value) => {
    response.setBody(
      responseBody === undefined
        ? value
        : (typeof responseBody === 'string' ? responseBody : stringify(responseBody)) +
            (typeof value === 'string' ? value : stringify(value)));
  };
  response.getMaxResourceQuota = () => setup.quota;
  response.getResourceQuotaCurrentUsage = () => setup.usage;

  const context = freeze({
    getCollection() {
      return collection;
    },
    getRequest() {
      return request;
    },
    getResponse() {
      if (setup.kind === PRE_TRIGGER) {
        throw fail(400, 'A pre-trigger has no response yet');
      }
      return response;
    },
    abort(error) {
      aborted = { error };
      throw error;
    },
  });

  collection.request = request;
  if (setup.kind !== PRE_TRIGGER) {
    collection.response = response;
  }

  globalThis.getContext = () => context;
  globalThis.__ = collection;
  const log = (...parts) => {
    let line = '';
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      line += (i === 0 ? '' : ' ') + (typeof part === 'object' && part !== null ? stringify(part) : PlainString(part));
    }
    host('log', line);
  };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log, trace: log };

  // ---- What Java calls

  return freeze({
    begin(main) {
      const given = setup.kind === 'sproc' ? requestBody : [];
      apply(main, undefined, given);
    },
    // Runs the next operation and its callback; false when there is none. An abort that was caught still counts.
    step() {
      if (aborted !== null) {
        throw aborted.error;
      }
      if (first === null) {
        return false;
      }
      const entry = first;
      first = entry.next;
      if (first === null) {
        last = null;
      }
      settle(entry.callback, perform(entry.step));
      return true;
    },
    // What a post-trigger does not set stays as it was.
    response() {
      if (!responseSet) {
        return null;
      }
      return responseBody === undefined ? '""' : text(responseBody, 'The body of the response');
    },
    // The item that a pre-trigger leaves: objects that it only changed inside count too.
    request() {
      return requestBody === undefined ? null : text(requestBody, 'The body of the request');
    },
  });
})
