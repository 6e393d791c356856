// Creates as many of the given items as there is time and room for, in order, and answers how many. The client calls
// again with the rest until nothing is left. One that fails undoes all of this call.
function bulkImport(items) {
  const container = getContext().getCollection();
  const response = getContext().getResponse();
  if (!Array.isArray(items)) {
    throw new Error(400, 'bulkImport takes an array of items');
  }
  let created = 0;
  response.setBody(created);
  importNext();

  function importNext() {
    if (created === items.length) {
      return;
    }
    const accepted = container.createDocument(container.getSelfLink(), items[created], (error) => {
      if (error) {
        throw new Error(error.number, 'Item ' + created + ' was refused: ' + error.body);
      }
      created++;
      response.setBody(created);
      importNext();
    });
    // Not accepted: what was created so far is committed, and the answer tells where to go on.
    if (!accepted) {
      console.log('stopped after ' + created + ' items');
    }
  }
}
