// A block that passes with this and with the inert target says nothing about the framework.
module.exports = () => {
  throw new Error('no target')
}
