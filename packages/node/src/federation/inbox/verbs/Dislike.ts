import { rating } from "./Like.ts"

export const dislike = rating("dislike")
