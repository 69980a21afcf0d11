/** Writes down whose code the package holds, beside its own. */
import { LICENSES, licenseNotices } from '../dist/compiler/deploy/licenses.js'

export const licenses = {
  name: 'licenses',
  generateBundle(_, files) {
    const modules = Object.values(files).flatMap((file) => file.moduleIds ?? [])
    const source = licenseNotices(modules.map((id) => id.replace(/^\0/, '').replace(/\?.*$/, '')))
    this.emitFile({ type: 'asset', fileName: LICENSES, source })
  },
}
