export const messages = {
  heading: "Sensitive content",
  text: "{flags, select, 1 {Its publisher says that this video shows violence.} 2 {Its publisher says that this video shows explicit sex.} 3 {Its publisher says that this video shows violence and explicit sex.} other {Its publisher marked this video as sensitive.}}",
  watch: "Watch anyway"
} as const
