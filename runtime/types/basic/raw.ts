/** The types of Node's servers, under the names that lists of type parameters use. */
export type {
  RawReplyBase,
  RawReplyDefaultExpression as ReplyOf,
  RawRequestDefaultExpression as RequestOf,
  RawRequestBase,
  RawServerBase,
  RawServerDefault,
} from './server.ts'
