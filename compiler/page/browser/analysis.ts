/** What the page of `framework deploy --analyze` does. */
import { zoomTreemaps } from './treemap.ts'

zoomTreemaps()
