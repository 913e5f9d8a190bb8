/** Labels of the categories by id. */
export const videoCategoryLabels: Readonly<Record<number, string>> = {
  1: "Music",
  2: "Films",
  3: "Vehicles",
  4: "Art",
  5: "Sports",
  6: "Travels",
  7: "Gaming",
  8: "People",
  9: "Comedy",
  10: "Entertainment",
  11: "News & Politics",
  12: "How To",
  13: "Education",
  14: "Activism",
  15: "Science & Technology",
  16: "Animals",
  17: "Kids",
  18: "Food"
}
export const videoCategories: ReadonlyArray<number> = Object.keys(videoCategoryLabels).map(Number)
