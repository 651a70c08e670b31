// A shared link: the project is in the fragment, which never reaches this server.
import { BootCover } from '../../components/ide/boot-cover';
import { BootWatchScript } from '../../components/ide/boot-watch-script';
import { OpenShared } from '../../components/share/open-shared';
import { IsolatedOnly } from '../../components/ui/isolation-notice';

/** `/s#v1.…` makes a copy in the browser of whoever opens it. */
export default function Page() {
  return (
    <>
      <BootCover title="A shared project" />
      <BootWatchScript />
      <IsolatedOnly>
        <OpenShared />
      </IsolatedOnly>
    </>
  );
}
