package io.orrery.bench;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The bare server's own process; started by the other commands. */
@Command(name = "bare", hidden = true, description = "Serve as the bare server.")
final class BareCommand implements Callable<Integer> {
  @Option(names = "--data", required = true)
  Path data = Path.of("");

  @Option(names = "--answer", required = true, description = "an answer of the real server")
  Path answer = Path.of("");

  @Option(names = "--cache-bytes", required = true)
  long cacheBytes;

  @Option(names = "--items", description = "items to serve; without any, creates are served")
  long items;

  @Option(names = "--queried", description = "serve pages of the items, found by index entries")
  boolean queried;

  @Option(names = "--changed", description = "serve pages of the items in the order of changes")
  boolean changed;

  @Option(names = "--batched", description = "creates come by the hundred")
  boolean batched;

  @Option(names = "--indexed", description = "write index entries of all properties")
  boolean indexed;

  @Option(names = "--loaded", description = "the items are there already")
  boolean loaded;

  @Option(names = "--counted", description = "count hits of the block cache")
  boolean counted;

  @Option(names = "--certificate")
  @Nullable Path certificate;

  @Option(names = "--certificate-key")
  @Nullable Path certificateKey;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Answer model = Answer.kept(answer);
    SslContext tls =
        certificate == null || certificateKey == null
            ? null
            : BareServer.tls(certificate, certificateKey);
    var store = BareStore.open(data, cacheBytes, counted);
    BareBackend backend =
        queried
            ? queries(store, model)
            : changed
                ? changes(store, model)
                : items > 0 ? reader(store, model) : writer(store, model);
    var listener = BareServer.start(backend, tls);
    System.out.println("Started nosql=127.0.0.1:" + listener.localAddress().getPort());
    listener.closeFuture().sync();
    return 0;
  }

  private BareBackend queries(BareStore store, Answer model) {
    var documents = Documents.queried(items);
    if (!loaded) {
      store.loadIndexed(documents, items, model.tailOfFirstDocument());
    }
    return BarePages.ofQueries(store, model);
  }

  private BareBackend changes(BareStore store, Answer model) {
    var documents = Documents.ofOneKilobyte();
    if (!loaded) {
      store.loadChanged(documents, items, model.tailOfFirstDocument());
    }
    return BarePages.ofChanges(store, model);
  }

  private BareBackend reader(BareStore store, Answer model) {
    var documents = Documents.ofOneKilobyte();
    if (!loaded) {
      store.load(documents, items, model.tail(documents.body(0)));
    }
    return new BareReader(store, model);
  }

  private BareBackend writer(BareStore store, Answer model) {
    var documents = batched ? Documents.batched() : Documents.ofOneKilobyte();
    var terms = new BareTerms(documents, indexed);
    BareWriter.Shape shape =
        batched
            ? new BareBatches(model, documents.bodyBytes())
            : new BareCreates(model, model.tail(documents.body(0)));
    return new BareWriter(store, terms, shape);
  }
}
