import { Words } from "./Words.tsx"

/** Words that the user watches for in comments on their videos. */
export const Page = () => <Words by="user" />
