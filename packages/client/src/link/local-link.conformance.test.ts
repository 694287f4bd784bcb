import { createFakeAcceptor, faultyLink, runLinkConformance } from "@colloquy/testkit";
import { createLocalLink } from "./local-link.js";

const makeSubject = async () => {
  const acceptor = createFakeAcceptor();
  const link = createLocalLink(acceptor);
  return { link, acceptor, unreachable: null, dispose: () => Promise.resolve() };
};

runLinkConformance("local link", makeSubject);

runLinkConformance("local link behind a faulty one without faults", async () => {
  const subject = await makeSubject();
  return { ...subject, link: faultyLink(subject.link) };
});
