/**
 * Elements that other clients replace with video lists and buttons. Here they are removed and their content stays: a
 * homepage written for those clients is still readable.
 */
const customTags = /<\/?peertube-[a-z-]{1,40}(?:\s[^<>]{0,1000})?\/?>/gi

/** The Markdown of a homepage as it is shown. */
export const homepageText = (content: string): string => content.replaceAll(customTags, "").trim()
