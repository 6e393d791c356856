package io.orrery.script;

/** What a query may use that calls functions: its time, and memory for calls that are foreseen. */
public interface CallBudget {
  /** For calls that no request waits for. */
  CallBudget UNBOUNDED =
      new CallBudget() {
        @Override
        public void look() {}

        @Override
        public boolean tryTake(long bytes) {
          return true;
        }

        @Override
        public void giveBack(long bytes) {}
      };

  /** Ends the query by an exception when its time is over or its client has gone. */
  void look();

  /** Draws memory; false when there is none. */
  boolean tryTake(long bytes);

  void giveBack(long bytes);

  /** Notes how long a process took to start: that is no time of the query. */
  default void waited(long nanos) {}
}
