/** Something is asked that only a scan can tell. */
export class NotKept extends Error {}
