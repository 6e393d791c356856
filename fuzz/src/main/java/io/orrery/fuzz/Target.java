package io.orrery.fuzz;

/** Runs inputs against one parser; whatever it throws is a finding. */
interface Target {
  void run(byte[] input) throws Exception;
}
