/** What a test file of find-my-way gets from `require('..')`: our router in find-my-way's shape. */
import { createRouter } from '../../../runtime/router/index.ts'

export { createRouter as 'module.exports' }
