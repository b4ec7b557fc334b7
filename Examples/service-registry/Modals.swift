import ECS

/// A dialog on the screen; it has an owner, but that is not the registry below.
@MainActor final class Dialog {
  let title: String

  init(_ title: String) { self.title = title }

  func close() { print("  closing", title) }
}

/// A dialog that is open, held weakly: registering it does not keep it alive.
struct Modal: Component {
  weak let dialog: Dialog?
}

/// Dims what is behind the dialogs, as long as there are any.
@MainActor final class Backdrop: @MainActor ReactiveSystem {
  let collector: Collector
  private var isShown = false

  init(_ context: Context) {
    collector = context.collector(for: Modal.matcher, type: .addedUpdatedOrRemoved)
  }

  func execute(entities: EntitySet) {
    let isNeeded = !collector.group.isEmpty
    if isNeeded != isShown { print("  the backdrop", isNeeded ? "appears" : "disappears") }
    isShown = isNeeded
  }
}

/// The open dialogs are a stack: the one that was opened last is on top.
@MainActor struct ModalStack {
  let context: Context

  func open(_ dialog: Dialog) {
    context.createEntity().set(Modal(dialog: dialog))
  }

  /// Closes all, from the top down; for all observers that is one step.
  func closeAll() {
    context.perform {
      for entity in context.group(Modal.matcher).sorted().reversed() {
        entity.get(Modal.self)?.dialog?.close()
        entity.destroy()
      }
    }
  }
}

@MainActor func showModals() async {
  print("Modal stack")
  let context = Context(name: "Screen")
  let loop = ReactiveLoop(ctx: context, systems: [Backdrop(context)])
  let stack = ModalStack(context: context)

  let signIn = Dialog("Sign in")
  var terms: Dialog? = Dialog("Terms")
  let newsletter = Dialog("Newsletter")
  for dialog in [signIn, terms, newsletter].compactMap({ $0 }) { stack.open(dialog) }
  await loop.settled()

  terms = nil
  print("  the owner of Terms has dropped it")
  stack.closeAll()
  await loop.settled()
  withExtendedLifetime((signIn, terms, newsletter)) {}
  print("  \(context.count) are open")
}
