/// A small catalog with good and broken records, as they come from the world: one in each line.
let sampleCatalog = #"""
  {"id":1,"title":"On Engines","state":"live","dates":{"published":"2024-05-01T12:30:00Z"},"price":12.50,"author":{"id":9007199254740993,"name":"Ada","contact":{"emails":["ada@example.org","a@example.org"],"web":"https://ada.example"}},"tags":["machines","history"]}
  {"id":2,"title":"Compilers","state":"live","price":null,"author":{"id":18,"name":"Grace"},"reviewer_ids":[9007199254740993],"tags":["machines","languages"]}
  {"id":3,"title":"No number, no author"}
  {"id":"4","title":"The number is a string"}
  {"id":5,"state":"live","tags":["history"]}
  {"id":6,"title":"A state of its own","state":"archived"}
  {"id":7,"title":"A bad tag","tags":["languages",7]}
  {"id":8,"title":"Half a record","author":{"id":18,
  {"id":9,"title":"When","dates":{"published":"yesterday"}}
  {"id":10,"title":"By nobody","author":{"name":"has no number"}}
  {"id":1,"price":14,"state":"retired"}
  {"id":2,"title":"Compilers","tags":["machines","languages"]}
  {"id":11,"title":"Größe & Maß \"12\"","author":{"id":18,"contact":{"emails":["grace@example.org"]}},"tags":["machines"]}

  """#
