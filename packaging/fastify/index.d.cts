import framework = require('framework/5')
export = framework
