package io.orrery.script.child;

import com.oracle.truffle.api.TruffleSafepoint;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.instrumentation.provider.TruffleInstrumentProvider;
import java.util.Collection;
import java.util.List;

/**
 * Lets code be stopped at every call. By itself the interpreter looks only in loops, and functions
 * that call themselves in their catch blocks can go on for longer than anybody lives.
 */
public final class CallPolling extends TruffleInstrument {
  static final String ID = "orrery-call-polling";

  @Override
  protected void onCreate(Env env) {
    env.registerService(this);
    var _ =
        env.getInstrumenter()
            .attachExecutionEventFactory(
                SourceSectionFilter.newBuilder().tagIs(StandardTags.RootTag.class).build(),
                Poll::new);
  }

  private static final class Poll extends ExecutionEventNode {
    private final EventContext call;

    Poll(EventContext call) {
      this.call = call;
    }

    /**
     * What the engine throws once to stop code can be lost when the stack is full; what is thrown
     * here comes again with the next call.
     */
    @Override
    protected void onEnter(VirtualFrame frame) {
      Watch watch = Watch.current();
      if (watch != null) {
        watch.enterCall();
        if (watch.stopped() != null) {
          throw call.createUnwind(null);
        }
      }
      TruffleSafepoint.poll(this);
    }

    @Override
    protected void onReturnValue(VirtualFrame frame, Object result) {
      leave();
    }

    @Override
    protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
      leave();
    }

    /** A generator stops here for now. */
    @Override
    protected void onYield(VirtualFrame frame, Object value) {
      leave();
    }

    @Override
    protected void onResume(VirtualFrame frame) {
      onEnter(frame);
    }

    private static void leave() {
      Watch watch = Watch.current();
      if (watch != null) {
        watch.leaveCall();
      }
    }
  }

  /** How the engine finds it. */
  @Registration(id = ID, name = "Call polling", version = "1", services = CallPolling.class)
  public static final class Provider extends TruffleInstrumentProvider {
    @Override
    protected String getInstrumentClassName() {
      return CallPolling.class.getName();
    }

    @Override
    protected Object create() {
      return new CallPolling();
    }

    @Override
    protected Collection<String> getServicesClassNames() {
      return List.of(CallPolling.class.getName());
    }
  }
}
