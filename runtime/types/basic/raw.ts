/** The types of Node's servers, under the names that lists of type parameters use. */
export type {
  RawReplyDefaultExpression as ReplyOf,
  RawRequestDefaultExpression as RequestOf,
  RawServerBase,
  RawServerDefault,
} from './server.ts'
