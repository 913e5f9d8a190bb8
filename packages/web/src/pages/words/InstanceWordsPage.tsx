import { Words } from "./Words.tsx"

/** Words that the instance watches for in comments and videos. */
export const Page = () => <Words by="instance" />
