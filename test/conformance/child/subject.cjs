// The target in the shape of Fastify's own entry file, which test files get from `require('..')`.
const factory = globalThis[Symbol.for('conformance.target')]
const symbols = globalThis[Symbol.for('conformance.symbols')]

function fastify(...args) {
  const instance = factory.apply(this, args)
  const context = findContext(instance)
  if (context) bridge(instance, context)
  return instance
}

// The suite's helpers look up the classes and hooks of an instance under private names of Fastify's.
function bridge(instance, context) {
  const peers = {
    [symbols.kRequest]: (own) => ({ parent: own.Request }),
    [symbols.kReply]: (own) => ({ parent: own.Reply }),
    [symbols.kHooks]: (own) => own.hooks,
  }
  for (const name of Object.getOwnPropertySymbols(peers)) {
    const get = function () {
      return peers[name](this[context])
    }
    Object.defineProperty(instance, name, { get, configurable: true })
  }
}

function findContext(instance) {
  return Object.getOwnPropertySymbols(Object(instance)).find(
    ({ description }) => description === 'framework.context',
  )
}

module.exports = Object.assign(fastify, factory)
// One by one, so that Node finds the names for imports.
module.exports.fastify = fastify
module.exports.default = fastify
