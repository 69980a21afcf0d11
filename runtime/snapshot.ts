/** What `framework deploy --snapshot` adds to a program. Not for applications; it may change with any release. */
export { beginSnapshot } from './deployed/snapshot/index.ts'
