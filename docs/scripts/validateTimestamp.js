// Pre-trigger: an item must have a name, and gets the time of its creation if it does not bring one.
function validateTimestamp() {
  const request = getContext().getRequest();
  const item = request.getBody();
  if (typeof item.name !== 'string' || item.name === '') {
    throw new Error(400, 'An item needs a name');
  }
  if (!('timestamp' in item)) {
    item.timestamp = Date.now();
  }
  request.setBody(item);
}
