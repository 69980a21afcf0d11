/** Script of the page that `framework deploy --analyze` writes. */
import { zoomTreemaps } from './treemap.ts'

zoomTreemaps()
