export const messages = {
  chapters: "Chapters",
  transcript: "Transcript",
  notLoaded: "The subtitles could not be loaded. Please try again.",
  search: "Search in the transcript",
  language: "Language of the transcript",
  found: "{count, plural, one {# line} other {# lines}}"
} as const
