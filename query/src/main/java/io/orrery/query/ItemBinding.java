package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.value.Value;

/**
 * Puts items, or the rows of the query that feeds this one, where the code looks for them.
 *
 * @param calls whether the code calls functions of the user
 */
record ItemBinding(Frame frame, TopBlock top, ComputedProperties computed, boolean calls) {

  Frame bind(Value item) {
    frame.beginItem(item);
    if (calls) {
      frame.parameters.functions().begin(item);
    }
    TopBlock.Feed feed = top.feed();
    if (feed == null) {
      frame.inputs[Frame.ITEM] = computed.over(item, frame);
    } else {
      frame.inputs[feed.slot()] = Sizes.allow(item, frame.work);
    }
    return frame;
  }

  /** Leaves nothing of it for aggregates, which have a row even where no item passes the filter. */
  void unbind() {
    TopBlock.Feed feed = top.feed();
    frame.inputs[feed == null ? Frame.ITEM : feed.slot()] = Value.UNDEFINED;
    frame.work.endItem();
  }
}
