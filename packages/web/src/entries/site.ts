import { enhanceSite } from "../site/Site.ts"

enhanceSite()
