// Stored procedures that mean no good. Each must end as a refusal within its bounds; one that finds a way out
// answers 'escaped' instead.

// --- endless loop
function f() { while (true) { } }
// --- endless for
function f() { for (;;); }
// --- loop that catches everything
function f() { while (true) { try { throw 1; } catch (e) { } } }
// --- loop in finally
function f() { try { throw 1; } finally { while (true) { } } }
// --- loop with labels
function f() { outer: while (true) { while (true) { continue outer; } } }
// --- empty do while over a closure
function f() { const g = () => true; do { } while (g()); }
// --- endless generator
function f() { function* g() { while (true) yield 1; } for (const x of g()) { } }
// --- endless iterator
function f() { const it = { [Symbol.iterator]() { return { next() { return { done: false }; } }; } }; for (const x of it) { } }
// --- spread of an endless iterator
function f() { const it = { [Symbol.iterator]() { return { next() { return { done: false, value: 1 }; } }; } }; return [...it]; }
// --- array from an endless iterator
function f() { const it = { *[Symbol.iterator]() { while (true) yield 'x'; } }; Array.from(it); }
// --- deep recursion
function f() { function g(n) { return g(n + 1) + 1; } g(0); }
// --- recursion in catch
function f() { function g() { try { g(); } catch (e) { g(); } } g(); throw new Error('came back'); }
// --- recursion in finally
function f() { function g() { try { g(); } finally { g(); } } g(); }
// --- mutual recursion through getters
function f() { const o = { get a() { return this.b; }, get b() { return this.a; } }; return o.a; }
// --- recursion through toString
function f() { const o = { toString() { return '' + this; } }; return '' + o; }
// --- recursion through proxies
function f() { let p = {}; for (let i = 0; i < 1e6; i++) { p = new Proxy(p, {}); } return p.x; }
// --- growing array
function f() { const a = []; while (true) { a.push(new Array(1000).fill(1.5)); } }
// --- growing map
function f() { const m = new Map(); for (let i = 0; ; i++) { m.set(i, { i, text: 'x' + i }); } }
// --- growing object
function f() { const o = {}; for (let i = 0; ; i++) { o['p' + i] = 'v' + i; } }
// --- chain of closures
function f() { let c = null; while (true) { const before = c; const load = new Array(100).fill(c); c = () => before === load; } }
// --- growing string
function f() { let s = 'x'; while (true) { s += s; } }
// --- many distinct strings
function f() { const a = []; for (let i = 0; ; i++) { a.push('x'.repeat(100000) + i); } }
// --- repeat beyond the limit
function f() { return 'x'.repeat(2 ** 29); }
// --- padding beyond the limit
function f() { return 'x'.padEnd(2 ** 30, 'abc'); }
// --- join of large parts
function f() { const s = 'x'.repeat(1e6); return new Array(1e5).fill(s).join(s); }
// --- replace that multiplies
function f() { let s = 'aaaaaaaaaa'; while (true) { s = s.replace(/a/g, 'aaaaaaaaaa'); } }
// --- typed array
function f() { return new Float64Array(2 ** 31 - 1); }
// --- array buffer
function f() { return new ArrayBuffer(2 ** 33); }
// --- many typed arrays
function f() { const a = []; while (true) { a.push(new Uint8Array(1 << 22)); } }
// --- array of the largest length filled
function f() { return new Array(2 ** 32 - 1).fill(0); }
// --- sparse array sorted
function f() { const a = []; a[2 ** 32 - 2] = 1; a.sort(); throw new Error('sorted'); }
// --- sparse array joined
function f() { const a = []; a.length = 2 ** 32 - 1; return a.join('x'); }
// --- sparse array reversed
function f() { const a = [1]; a.length = 2 ** 32 - 1; a.reverse(); throw new Error('reversed'); }
// --- index of in a thing that is only long
function f() { Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); throw new Error('searched'); }
// --- last index of in a thing that is only long
function f() { Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1); throw new Error('searched'); }
// --- includes in a thing that is only long
function f() { Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1); throw new Error('searched'); }
// --- for each of a thing that is only long
function f() { Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => { }); throw new Error('done'); }
// --- concat of a thing that is only long
function f() { const o = { length: 2 ** 32, [Symbol.isConcatSpreadable]: true }; return [].concat(o, o); }
// --- array from a thing that is only long
function f() { return Array.from({ length: 2 ** 31 }); }
// --- apply with too many arguments
function f() { return Math.max.apply(null, { length: 2 ** 31 }); }
// --- unshift on a thing that is only long
function f() { Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1); throw new Error('done'); }
// --- splice of a thing that is only long
function f() { Array.prototype.splice.call({ length: 2 ** 53 - 1 }, 0, 2 ** 40); throw new Error('done'); }
// --- copy within a thing that is only long
function f() { Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1); throw new Error('done'); }
// --- reduce of a thing that is only long
function f() { Array.prototype.reduceRight.call({ length: 2 ** 53 - 1 }, (a) => a, 0); throw new Error('done'); }
// --- flat without end
function f() { let a = [1]; for (let i = 0; i < 60; i++) { a = [a, a]; } return a.flat(Infinity); }
// --- regular expression that backtracks
function f() { return /^(a+)+$/.test('a'.repeat(40) + '!') || [].missing.x; }
// --- regular expression with back references
function f() { return /^(?:(a+)\1*)+$/.test('a'.repeat(60) + '!') || [].missing.x; }
// --- regular expression with nested looks
function f() { return /^(?=((a+)+)+$)(?:.*\1)*b$/.test('a'.repeat(60)) || [].missing.x; }
// --- regular expression over a long text
function f() { const s = 'ab'.repeat(2e6); for (let i = 0; ; i++) { /(?:a|b|ab)*?c\1/.test(s + i); } }
// --- regular expression with large counts
function f() { return new RegExp('(?:(?:a{1,1000}){1,1000}){1,1000}b').test('a'.repeat(1e5)) || [].missing.x; }
// --- search of a long text in a long text
function f() { const s = 'a'.repeat(4e6); for (;;) { s.indexOf('a'.repeat(2e6) + 'b'); } }
// --- last search of a long text in a long text
function f() { const s = 'a'.repeat(4e6); for (;;) { s.lastIndexOf('b' + 'a'.repeat(2e6)); } }
// --- split by a long text
function f() { const s = 'a'.repeat(4e6); for (;;) { s.split('a'.repeat(2e6) + 'b'); } }
// --- replace of a long text
function f() { const s = 'a'.repeat(4e6); for (;;) { s.replaceAll('a'.repeat(2e6) + 'b', 'x'); } }
// --- search by things that become texts
function f() { const s = { toString: () => 'a'.repeat(4e6) }; for (;;) { String.prototype.indexOf.call(s, { toString: () => 'a'.repeat(2e6) + 'b' }); } }
// --- split with a method that goes away
function f() { let n = 0; const w = { get [Symbol.split]() { return n++ % 2 ? undefined : String.prototype.split; }, toString: () => 'a'.repeat(2e6) + 'b' }; for (;;) { 'a'.repeat(4e6).split(w); } }
// --- sort with a comparator that lies
function f() { const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) { a.sort(() => Math.random() - 0.5); } }
// --- sort with a comparator that does not return
function f() { [3, 2, 1].sort(() => { for (;;); }); }
// --- sort with a comparator that throws
function f() { [3, 2, 1].sort(() => { throw new Error('no order'); }); }
// --- number that becomes itself
function f() { const o = { valueOf() { for (;;); } }; return o + 1; }
// --- toJSON without end
function f() { getContext().getResponse().setBody({ toJSON() { for (;;); } }); }
// --- toJSON that grows
function f() { const o = { toJSON() { return [o, o]; } }; getContext().getResponse().setBody(o); }
// --- body with a circle
function f() { const o = {}; o.o = o; getContext().getResponse().setBody(o); }
// --- body nested too deep
function f() { let o = {}; for (let i = 0; i < 1e5; i++) { o = { o }; } getContext().getResponse().setBody(o); }
// --- body that is too large
function f() { getContext().getResponse().setBody('x'.repeat(5 << 20)); }
// --- body of shared parts
function f() { let o = { x: 'x'.repeat(100) }; for (let i = 0; i < 40; i++) { o = [o, o]; } getContext().getResponse().setBody(o); }
// --- JSON nested without end
function f() { return JSON.parse('['.repeat(4e6)); }
// --- JSON with a reviver that grows
function f() { return JSON.parse('[1,2,3]', function (k, v) { this.push && this.push(1); return v; }) && [].missing.x; }
// --- error that cannot be told
function f() { throw { get number() { for (;;); }, toString() { for (;;); } }; }
// --- error whose text is endless
function f() { const e = new Error('x'); Object.defineProperty(e, 'message', { get() { for (;;); } }); throw e; }
// --- error whose prototype lies
function f() { throw new Proxy({}, { get() { throw this; }, getPrototypeOf() { for (;;); } }); }
// --- promises without end
function f() { const again = () => Promise.resolve().then(again); again(); }
// --- async loop
async function f() { while (true) { await null; } }
// --- thenable without end
function f() { const t = { then(g) { g(t); } }; return Promise.resolve(t); }
// --- rejection that nobody sees
function f() { Promise.reject(new Error('unseen')); }
// --- async generator without end
async function f() { async function* g() { while (true) yield 1; } for await (const x of g()) { } }
// --- code made of text
function f() { return eval('1 + 1') && getContext().getResponse().setBody('escaped'); }
// --- function made of text
function f() { return new Function('return 1')() && getContext().getResponse().setBody('escaped'); }
// --- function made of a constructor
function f() { (() => { }).constructor('return 1')(); getContext().getResponse().setBody('escaped'); }
// --- generator function made of a constructor
function f() { (function* () { }).constructor('yield 1')().next(); getContext().getResponse().setBody('escaped'); }
// --- host classes
function f() { if (typeof Java !== 'undefined') { Java.type('java.lang.System'); getContext().getResponse().setBody('escaped'); } throw new Error('contained'); }
// --- packages and polyglot
function f() { for (const n of ['Packages', 'java', 'Polyglot', 'Graal', 'load', 'print', 'require', 'process', 'WebAssembly', 'SharedArrayBuffer', 'Atomics']) { if (n in globalThis) { getContext().getResponse().setBody('escaped'); return; } } throw new Error('contained'); }
// --- class of a host function
function f() { const c = getContext().getCollection(); for (const n of ['getClass', 'class', 'wait', 'notify']) { if (c[n] || __[n] || console.log[n]) { getContext().getResponse().setBody('escaped'); return; } } throw new Error('contained'); }
// --- import of a module
async function f() { await import('fs'); getContext().getResponse().setBody('escaped'); }
// --- polluted prototypes
function f() { Object.prototype.number = 0; Object.prototype.then = () => { for (;;); }; Array.prototype.push = () => { throw 1; }; Object.prototype.toJSON = () => { for (;;); }; getContext().getResponse().setBody({}); }
// --- polluted array methods
function f() { Array.prototype[Symbol.iterator] = function* () { while (true) yield 1; }; Array.prototype.filter = () => { for (;;); }; __.filter(() => true); throw new Error('asked'); }
// --- polluted intrinsics
function f() { JSON.parse = JSON.stringify = () => { for (;;); }; Reflect.apply = () => 1; Function.prototype.call = Function.prototype.apply = () => { for (;;); }; throw new Error('done'); }
// --- setter on the options of every object
function f() { for (const n of ['etag', 'continuation', 'kind', 'callback', 'next', 'step']) { Object.defineProperty(Object.prototype, n, { set() { for (;;); }, get() { for (;;); }, configurable: true }); } __.queryDocuments(__.getSelfLink(), 'SELECT * FROM c', {}, () => { }); throw new Error('asked'); }
// --- options that never answer
function f() { const o = new Proxy({}, { get() { for (;;); } }); __.createDocument(__.getSelfLink(), { id: 'x' }, o); }
// --- document that never answers
function f() { __.createDocument(__.getSelfLink(), { id: 'x', get y() { for (;;); } }); }
// --- link that is no text
function f() { __.readDocument({ toString() { for (;;); } }); }
// --- document of another container
function f() { __.readDocument('dbs/other/colls/other/docs/x'); }
// --- operations without end
function f() { function more() { __.queryDocuments(__.getSelfLink(), 'SELECT * FROM c', more) || more(); } more(); }
// --- operations that are never refused
function f() { while (true) { __.createDocument(__.getSelfLink(), { id: 'x' + Math.random(), text: 'x'.repeat(1000) }); } }
// --- query that nests without end
function f() { __.queryDocuments(__.getSelfLink(), 'SELECT VALUE ' + '('.repeat(1e5) + '1' + ')'.repeat(1e5), e => { throw new Error('refused'); }); }
// --- log without end
function f() { while (true) { console.log('x'.repeat(1000)); } }
// --- log of what cannot be told
function f() { console.log({ toJSON() { for (;;); } }); }
// --- date arithmetic without end
function f() { for (let d = new Date(0); ; d = new Date(+d + 1)) { d.toISOString(); } }
// --- weak things without end
function f() { const w = new WeakMap(); const keep = []; while (true) { const k = {}; keep.push(k); w.set(k, new Array(100)); } }
// --- symbols without end
function f() { for (let i = 0; ; i++) { Symbol.for('s' + i + 'x'.repeat(1000)); } }
// --- classes without end
function f() { let C = class { }; while (true) { C = class extends C { }; } }
// --- bound functions without end
function f() { let g = () => 1; for (let i = 0; i < 1e6; i++) { g = g.bind(null); } return g(); }
// --- arguments that grow
function f() { (function g(...a) { g(...a, ...a, 1); })(1); }
// --- destructuring without end
function f() { const it = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) }; const [...all] = it; }
// --- template of large texts
function f() { let s = 'x'; for (;;) { s = `${s}${s}${s}`; } }
// --- escape of large texts
function f() { let s = '\u1234'.repeat(1e6); for (;;) { s = encodeURIComponent(s); } }
// --- reflection over a proxy with endless keys
function f() { return Object.keys(new Proxy({}, { ownKeys() { for (;;); } })); }
// --- set that grows while it is walked
function f() { const s = new Set([1]); for (const x of s) { s.add(x + 1); } }
// --- spread of a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; return [...a]; }
// --- set of a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; return new Set(a); }
// --- array from a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; return Array.from(a); }
// --- arguments from a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; return Math.max(...a); }
// --- arguments from a sparse array by apply
function f() { const a = []; a.length = 2 ** 32 - 1; return Math.max.apply(null, a); }
// --- replacer that is a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; JSON.stringify({}, a); throw new Error('done'); }
// --- sparse array as JSON
function f() { const a = []; a.length = 2 ** 32 - 1; return JSON.stringify(a); }
// --- raw strings of a thing that is only long
function f() { String.raw({ raw: { length: 2 ** 53 - 1 } }); throw new Error('done'); }
// --- promises of a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; return Promise.all(a); }
// --- typed array from a thing that is only long
function f() { return Uint8Array.from({ length: 2 ** 40 }); }
// --- entries of a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; for (const e of a.entries()) { } throw new Error('done'); }
// --- sparse array without an element
function f() { const a = []; a.length = 2 ** 32 - 1; return a.with(0, 1); }
// --- keys of a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; return [...a.keys()]; }
// --- destructuring of a sparse array
function f() { const a = []; a.length = 2 ** 32 - 1; const [...b] = a; return b; }
// --- sparse array behind a proxy
function f() { const a = []; a.length = 2 ** 32 - 1; const p = new Proxy(a, {}); Array.prototype.indexOf.call(p, 1); throw new Error('done'); }
// --- length that lies to its guard
function f() { let n = 0; Array.prototype.indexOf.call({ get length() { return n++ ? 2 ** 53 - 1 : 1; } }, 1); throw new Error('done'); }
// --- proxy that lies about its length
function f() { const p = new Proxy({}, { getOwnPropertyDescriptor: () => ({ value: 1, configurable: true }), get: (t, k) => (k === 'length' ? 2 ** 53 - 1 : undefined) }); Array.prototype.indexOf.call(p, 1); throw new Error('done'); }
// --- length that becomes a number
function f() { const o = { length: { valueOf() { return this.n++ ? 2 ** 53 - 1 : 1; }, n: 0 } }; Array.prototype.indexOf.call(o, 1); throw new Error('done'); }
// --- one call that makes an array of two thousand million elements
function f() { const b = new Array(1e7).fill(0); b.concat(...Array(200).fill(b)); }
// --- one call that unshifts an array of many millions
function f() { const b = new Array(1e6).fill(0.5); for (;;) b.unshift(...b.slice(0, 1e5), ...b); }
// --- one call that splices an array of many millions
function f() { const b = new Array(5e6).fill({}); for (;;) b.splice(0, 0, ...b); }
// --- numbers as objects without end, in a map
function f() { const m = new Map(); for (let i = 0; ; i++) m.set({ i }, new Array(1000).fill(i + 0.5)); }
