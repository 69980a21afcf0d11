/** Short names for the most frequent functions. They make generated code a tenth smaller. */
export {
  asValidator as $v,
  collectWithin as $cw,
  enumFailure as $fe,
  failure as $ff,
  requiredFailure as $fr,
  typeFailure as $ft,
  within as $fw,
} from './failure.ts'
export {
  coerceToArray as $ca,
  coerceToBoolean as $cb,
  coerceToInteger as $ci,
  coerceToNumber as $cn,
  coerceToString as $cs,
  onlyItem as $co,
} from './coerce.ts'
export { asBoolean as $b, asInteger as $i, asNumber as $n } from './serialize-number.ts'
export { asDate as $d, asDateTime as $dt, asTime as $ti } from './serialize-date.ts'
export { asString as $s, asText as $t } from './serialize-text.ts'
export { mismatch as $m, missing as $mi } from './serialize-errors.ts'
export { ucs2length as $u } from './ucs2length.ts'
export { isJsonObject as $o } from './json-object.ts'
