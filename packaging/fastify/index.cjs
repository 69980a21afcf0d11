module.exports = require('framework/5')
