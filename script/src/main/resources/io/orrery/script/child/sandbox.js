// Runs before any user code in every context: closes what could keep a thread busy where nothing can stop it,
// and gives errors the number that clients of the service know.
(function () {
  'use strict';
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { freeze } = Object;
  const PlainString = String;
  const PlainRangeError = RangeError;

  // A plain search compares length times length units without looking up.
  const COMPARISONS_MAX = 1e9;

  function replace(owner, name, make) {
    const descriptor = getOwnPropertyDescriptor(owner, name);
    descriptor.value = make(descriptor.value);
    defineProperty(owner, name, descriptor);
  }

  function refuseLongSearch(text, wanted) {
    if (text.length * wanted.length > COMPARISONS_MAX && wanted.length < text.length) {
      throw new PlainRangeError('The strings are too long to search one in the other');
    }
  }

  function string(value) {
    if (value === undefined || value === null) {
      throw new TypeError('The string is null or not defined');
    }
    return PlainString(value);
  }

  for (const name of ['indexOf', 'lastIndexOf', 'includes']) {
    replace(PlainString.prototype, name, (original) => ({
      [name](wanted, position) {
        const text = string(this);
        if (typeof wanted !== 'object' || wanted === null) {
          wanted = PlainString(wanted);
          refuseLongSearch(text, wanted);
          return apply(original, text, [wanted, position]);
        }
        if (name === 'includes' && wanted[Symbol.match] !== undefined && wanted[Symbol.match] !== null) {
          throw new TypeError('The first argument must not be a regular expression');
        }
        wanted = PlainString(wanted);
        refuseLongSearch(text, wanted);
        return apply(original, text, [wanted, position]);
      },
    })[name]);
  }

  for (const [name, symbol] of [
    ['split', Symbol.split],
    ['replace', Symbol.replace],
    ['replaceAll', Symbol.replace],
  ]) {
    replace(PlainString.prototype, name, (original) => ({
      [name](wanted, other) {
        if (this === undefined || this === null) {
          throw new TypeError('The string is null or not defined');
        }
        if (wanted instanceof RegExp) {
          return apply(original, this, [wanted, other]);
        }
        if (wanted !== undefined && wanted !== null && typeof wanted === 'object') {
          const own = wanted[symbol];
          if (own !== undefined && own !== null) {
            return apply(own, wanted, [this, other]);
          }
        }
        const text = PlainString(this);
        if (wanted === undefined && name === 'split') {
          return apply(original, text, [wanted, other]);
        }
        wanted = PlainString(wanted);
        refuseLongSearch(text, wanted);
        return apply(original, text, [wanted, other]);
      },
    })[name]);
  }

  // Over a thing that only says that it is long these would walk every number up to its length.
  const LENGTH_MAX = 10_000_000;
  const typedArrayLength = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), 'length').get;

  function refuseLong(items) {
    if (typeof items !== 'object' || items === null) {
      return;
    }
    // A length that is code could be another one when it is asked for again.
    for (let owner = items; owner !== null; owner = getPrototypeOf(owner)) {
      const length = getOwnPropertyDescriptor(owner, 'length');
      if (length !== undefined) {
        if (length.get === typedArrayLength) {
          return;
        }
        if (length.get !== undefined || typeof length.value === 'object' || length.value > LENGTH_MAX) {
          throw new PlainRangeError('An array has at most ' + LENGTH_MAX + ' elements here');
        }
        return;
      }
    }
  }

  for (const name of [
    'indexOf', 'lastIndexOf', 'includes', 'join', 'reverse', 'fill', 'copyWithin', 'sort', 'slice', 'splice', 'concat',
    'unshift', 'shift', 'flat', 'toString', 'toLocaleString', 'toReversed', 'toSorted', 'toSpliced', 'with', 'every', 'some',
    'forEach', 'map', 'filter', 'reduce', 'reduceRight', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flatMap',
  ]) {
    replace(Array.prototype, name, (original) => ({
      [name](...given) {
        refuseLong(this);
        return apply(original, this, given);
      },
    })[name]);
  }
  replace(Array, 'from', (original) => ({
    from(items, ...given) {
      refuseLong(items);
      return apply(original, this, [items, ...given]);
    },
  }).from);
  replace(PlainString, 'raw', (original) => ({
    raw(template, ...given) {
      refuseLong(template?.raw);
      return apply(original, PlainString, [template, ...given]);
    },
  }).raw);
  replace(JSON, 'stringify', (original) => ({
    stringify(value, replacer, space) {
      refuseLong(replacer);
      return apply(original, JSON, [value, replacer, space]);
    },
  }).stringify);

  // A proxy can say one length to the guard and another one later. With a handler that is asked by code, every step
  // over a proxy is a call, and calls can be stopped.
  const PlainProxy = Proxy;
  const asked = { get: (handler, trap) => handler[trap] };
  const watched = (handler) =>
    typeof handler === 'object' && handler !== null ? new PlainProxy(handler, asked) : handler;
  function WatchedProxy(target, handler) {
    if (new.target === undefined) {
      throw new TypeError('Proxy is made with new');
    }
    return new PlainProxy(target, watched(handler));
  }
  defineProperty(WatchedProxy, 'name', { value: 'Proxy' });
  defineProperty(WatchedProxy, 'revocable', {
    value: (target, handler) => PlainProxy.revocable(target, watched(handler)),
    writable: true,
    configurable: true,
  });
  defineProperty(globalThis, 'Proxy', { value: WatchedProxy, writable: true, configurable: true });

  // As in the service: new Error(404, 'Not found') ends as status 400 with the number as its sub-status.
  const PlainError = Error;
  function NumberedError(...given) {
    const numbered = typeof given[0] === 'number' && given.length > 1;
    const error = construct(PlainError, numbered ? [given[1]] : given, new.target ?? NumberedError);
    if (numbered) {
      defineProperty(error, 'number', { value: given[0], writable: true, configurable: true, enumerable: false });
    }
    return error;
  }
  NumberedError.prototype = PlainError.prototype;
  defineProperty(NumberedError, 'name', { value: 'Error' });
  defineProperty(PlainError.prototype, 'constructor', { value: NumberedError, writable: true, configurable: true });
  defineProperty(globalThis, 'Error', { value: NumberedError, writable: true, configurable: true });

  // What Java uses in every context: makes a number and a text of whatever was thrown, and texts of values. Nothing
  // that a thrown thing does can escape from here.
  const { parse, stringify } = JSON;
  return freeze({
    parse,
    stringify,
    nothing: undefined,
    describe(thrown) {
      let number = 0;
      let message;
      try {
        if (thrown !== null && typeof thrown === 'object') {
          const given = thrown.number;
          number = typeof given === 'number' && given > 0 && given < 65536 ? given | 0 : 0;
          message = thrown instanceof PlainError ? PlainString(thrown) : stringify(thrown);
        } else {
          message = PlainString(thrown);
        }
      } catch {
        message = undefined;
      }
      return [number, typeof message === 'string' ? message : 'an error that cannot be described'];
    },
  });
})
