// Deletes the items of the partition key that a query finds, as many as there is time for. Answers how many, and
// whether there may be more: then the client calls again.
function bulkDelete(query) {
  const container = getContext().getCollection();
  const answer = { deleted: 0, continuation: true };
  deletePage();

  function finish(continuation) {
    answer.continuation = continuation;
    getContext().getResponse().setBody(answer);
  }

  function deletePage() {
    const accepted = container.queryDocuments(container.getSelfLink(), query, { pageSize: 100 }, (error, found) => {
      if (error) {
        throw new Error(error.number, error.body);
      }
      if (found.length === 0) {
        finish(false);
      } else {
        deleteOneOf(found);
      }
    });
    if (!accepted) {
      finish(true);
    }
  }

  function deleteOneOf(found) {
    const next = found.pop();
    if (next === undefined) {
      deletePage();
      return;
    }
    const accepted = container.deleteDocument(next._self, { etag: next._etag }, (error) => {
      if (error) {
        throw new Error(error.number, error.body);
      }
      answer.deleted++;
      deleteOneOf(found);
    });
    if (!accepted) {
      finish(true);
    }
  }
}
