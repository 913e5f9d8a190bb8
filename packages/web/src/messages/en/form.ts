/** The form of a video. */
export const messages = {
  none: "None",
  name: "Name",
  nameWrong: "The name must have 3 to 120 characters.",
  description: "Description",
  descriptionHelp: "Markdown, links and times such as 1:23 work.",
  descriptionWrong: "The description must have 3 to 10,000 characters.",
  tags: "Tags",
  tagsHelp: "At most {max, plural, one {# tag} other {# tags}}. Press Enter after each.",
  tagsWrong: "Each tag must have 2 to 30 characters.",
  category: "Category",
  categoryName:
    "{id, select, 1 {Music} 2 {Films} 3 {Vehicles} 4 {Art} 5 {Sports} 6 {Travels} 7 {Gaming} 8 {People} 9 {Comedy} 10 {Entertainment} 11 {News & Politics} 12 {How To} 13 {Education} 14 {Activism} 15 {Science & Technology} 16 {Animals} 17 {Kids} 18 {Food} other {Unknown}}",
  licence: "Licence",
  licenceName:
    "{id, select, 1 {Attribution} 2 {Attribution - Share Alike} 3 {Attribution - No Derivatives} 4 {Attribution - Non Commercial} 5 {Attribution - Non Commercial - Share Alike} 6 {Attribution - Non Commercial - No Derivatives} 7 {Public Domain Dedication} 8 {Free of known copyright restrictions} 9 {All Rights Reserved} other {Unknown}}",
  language: "Language",
  channel: "Channel",
  privacy: "Who may see it",
  privacyName: "{id, select, 1 {Public} 2 {Unlisted} 3 {Private} 4 {Internal} 5 {Password protected} other {Unknown}}",
  privacyHelp:
    "{id, select, 1 {Everybody finds it.} 2 {Only who has the link.} 3 {You alone.} 4 {Only who is logged in here.} 5 {Only who knows the password.} other {}}",
  password: "Password",
  passwordWrong: "The password must have 2 to 100 characters.",
  publishAt: "Publish at",
  publishAtHelp: "Empty: at once. Until then it is private.",
  publishAtWrong: "This moment is over.",
  comments: "Comments",
  commentsName: "{id, select, 1 {Allowed} 2 {Not allowed} 3 {After your approval} other {Unknown}}",
  download: "Viewers may download it",
  sensitive: "Sensitive content",
  sensitiveHelp: "Viewers are warned, or do not see it, as they chose."
} as const
