import { allNsfwFlags, type NsfwPolicy } from "../enums/NsfwFlag.ts"

/** What a video says of itself (contract: Video). */
export interface Sensitivity {
  readonly nsfw: boolean
  readonly nsfwFlags: number
}

/** What a viewer chose; the bit sets stand above the policy where a video says why it is sensitive (contract: MyUser). */
export interface NsfwChoices {
  readonly nsfwPolicy: NsfwPolicy
  readonly nsfwFlagsDisplayed: number
  readonly nsfwFlagsWarned: number
  readonly nsfwFlagsBlurred: number
  readonly nsfwFlagsHidden: number
}

/** The choices of somebody who made none, on an instance with this policy. */
export const choicesOf = (nsfwPolicy: NsfwPolicy): NsfwChoices => ({
  nsfwPolicy,
  nsfwFlagsDisplayed: 0,
  nsfwFlagsWarned: 0,
  nsfwFlagsBlurred: 0,
  nsfwFlagsHidden: 0
})

/** How a video is shown to who opens it: as it is, behind a warning, or behind a warning with a blurred picture. */
export type Treatment = "display" | "warn" | "blur"

const treatments = ["display", "warn", "blur"] as const

/** Lists leave out what is hidden; who opens its page all the same meets the strictest treatment. */
const treatmentOf: Readonly<Record<NsfwPolicy, number>> = { display: 0, warn: 1, blur: 2, do_not_list: 2 }

const treatmentOfFlag = (flag: number, choices: NsfwChoices): number => {
  if ((flag & (choices.nsfwFlagsHidden | choices.nsfwFlagsBlurred)) !== 0) return 2
  if ((flag & choices.nsfwFlagsWarned) !== 0) return 1
  return (flag & choices.nsfwFlagsDisplayed) !== 0 ? 0 : treatmentOf[choices.nsfwPolicy]
}

/** How a viewer with these choices is shown a video: of its reasons, the one that is treated most strictly decides. */
export const treatmentFor = ({ nsfw, nsfwFlags }: Sensitivity, choices: NsfwChoices): Treatment => {
  if (!nsfw) return "display"
  const flags = [1, 2, 4].filter((flag) => (nsfwFlags & allNsfwFlags & flag) !== 0)
  const levels = flags.map((flag) => treatmentOfFlag(flag, choices))
  return treatments[levels.length === 0 ? treatmentOf[choices.nsfwPolicy] : Math.max(...levels)]!
}
