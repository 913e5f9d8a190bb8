import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/player.ts"

/** What the player says. */
export const t = pageText("player", messages)

/** What cannot be played, and what the viewer can do about it. */
export interface Failure {
  readonly text: string
  readonly advice: string
}

type FailureName = {
  [K in keyof typeof messages]: K extends `${infer Name}Advice` ? Name : never
}[keyof typeof messages]

export const failure = (name: FailureName): Failure => ({ text: t(name), advice: t(`${name}Advice`) })
