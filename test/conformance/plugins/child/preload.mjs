// Preloaded into the process of each test file of a plugin.
import './redirect.mjs'
import '../../child/patience.mjs'
import '../../child/stray-errors.mjs'
