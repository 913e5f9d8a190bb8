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
