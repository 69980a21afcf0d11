// Preloaded into the process of each test file.
import './redirect.mjs'
import './code-generation.mjs'
import './patience.mjs'
import './stray-errors.mjs'
