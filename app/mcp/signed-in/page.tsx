// Where the browser comes back to after the person has signed in to an MCP server of the web.
import { SignedIn } from '../../../components/chat/signed-in';

/** `/mcp/signed-in` */
export default function Page() {
  return <SignedIn />;
}
