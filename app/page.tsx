// The start page.
import { StartPage } from '../components/start/start-page';

/** `/` */
export default function Page() {
  return <StartPage />;
}
