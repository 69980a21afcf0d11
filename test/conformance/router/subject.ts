/** Our router in find-my-way's shape, which its test files get from `require('..')`. */
export { makeOurs as 'module.exports' } from '../../runtime/router/find-my-way.ts'
