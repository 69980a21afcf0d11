/** Our router in find-my-way's shape, which its test files get from `require('..')`. */
import { createRouter } from '../../../runtime/router/index.ts'

export { createRouter as 'module.exports' }
