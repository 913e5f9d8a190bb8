import { Layer } from "effect"
import { DownloadHttp } from "./DownloadHttp.ts"
import { DownloadServices } from "./DownloadServices.ts"

/** Downloads of videos, with their services. */
export const DownloadRoutes = DownloadHttp.pipe(Layer.provide(DownloadServices))
