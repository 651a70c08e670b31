// A shared link: the project is in the fragment, which never reaches this server.
import { OpenShared } from '../../components/share/open-shared';
import { IsolatedOnly } from '../../components/ui/isolation-notice';

/** `/s#v1.…` makes a copy in the browser of whoever opens it. */
export default function Page() {
  return (
    <IsolatedOnly>
      <OpenShared />
    </IsolatedOnly>
  );
}
