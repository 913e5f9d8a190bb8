import { treatmentFor } from "@kinora/domain/text/SensitiveText"
import { myChoices } from "./NsfwChoices.ts"

/** Shows the picture of a sensitive video as the user who is logged in chose, in place of the instance's policy. */
export const treatThumb = async (thumb: HTMLElement): Promise<void> => {
  const choices = await myChoices()
  if (choices === undefined) return
  thumb.dataset["treatment"] = treatmentFor({ nsfw: true, nsfwFlags: Number(thumb.dataset["nsfw"]) }, choices)
}
