// Post-trigger: counts the items of a partition key in an item of its own. If that fails, nothing was created.
function updateMetadata() {
  const container = getContext().getCollection();
  const created = getContext().getResponse().getBody();

  const accepted = container.queryDocuments(
    container.getSelfLink(),
    "SELECT * FROM root r WHERE r.id = '_metadata'",
    (error, found) => {
      if (error) {
        throw new Error(error.number, error.body);
      }
      if (found.length !== 1) {
        throw new Error(404, 'There is no metadata item');
      }
      const metadata = found[0];
      metadata.count++;
      metadata.names.push(created.name);
      if (!container.replaceDocument(metadata._self, metadata, { etag: metadata._etag })) {
        throw new Error(408, 'There was no time to update the metadata');
      }
    });
  if (!accepted) {
    throw new Error(408, 'There was no time to update the metadata');
  }
}
