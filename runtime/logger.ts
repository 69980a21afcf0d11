/** `framework/logger`: brings pino into a bundle, which otherwise lacks it, because the runtime loads it by a computed name on first use. */
import pino from 'pino/browser.js'
import { providePackages } from './serve/load-package.ts'

providePackages({ pino: () => pino })
