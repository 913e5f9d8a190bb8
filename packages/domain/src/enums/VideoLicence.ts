import { labelled } from "./Labelled.ts"

/** Labels of the licences by id. */
export const videoLicenceLabels: Readonly<Record<number, string>> = {
  1: "Attribution",
  2: "Attribution - Share Alike",
  3: "Attribution - No Derivatives",
  4: "Attribution - Non Commercial",
  5: "Attribution - Non Commercial - Share Alike",
  6: "Attribution - Non Commercial - No Derivatives",
  7: "Public Domain Dedication",
  8: "Free of known copyright restrictions",
  9: "All Rights Reserved"
}
export const videoLicences: ReadonlyArray<number> = Object.keys(videoLicenceLabels).map(Number)

/** Short names of the licences, as SPDX and Creative Commons write them. */
export const videoLicenceNames: Readonly<Record<number, string>> = {
  1: "CC-BY",
  2: "CC-BY-SA",
  3: "CC-BY-ND",
  4: "CC-BY-NC",
  5: "CC-BY-NC-SA",
  6: "CC-BY-NC-ND",
  7: "CC0",
  8: "PDM",
  9: "ALL_RIGHTS_RESERVED"
}

/** `{ id, label }` of a licence, null for none. */
export const videoLicence = (id: number | null) => labelled(id, videoLicenceLabels)
