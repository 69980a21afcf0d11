'use strict'

// Required, not imported: for an import, Node searches the nine megabytes of TypeScript for the names that they export.
exports.ts = require('ts-morph').ts
