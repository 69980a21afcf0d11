import { callsFunctions } from './called-functions.ts'
import type { Platform } from './platform.ts'

/** AWS Lambda, behind API Gateway, a function URL or a load balancer. */
export const lambda: Platform = {
  ...callsFunctions({
    from: 'framework/lambda',
    imports: ['toLambda', 'toStreamingLambda'],
    functions: { handler: 'toLambda(app)', streaming: 'toStreamingLambda(app)' },
    own: 'handler',
  }),
  startCommand: (out) =>
    `(cd ${out} && zip -qr ../lambda.zip . -x '*.map'), with the handler index.handler`,
}
