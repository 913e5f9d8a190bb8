import { Layer } from "effect"
import { FeedServices } from "./FeedServices.ts"
import { FeedRoutesLayer } from "./FeedsHttp.ts"

/** Feeds over HTTP, with their services. */
export const FeedRoutes = FeedRoutesLayer.pipe(Layer.provide(FeedServices))
